"""What differs between two snapshots: one module for each kind of content."""
