"""What PowerPoint would want to repair in a package, and what is only irregular."""
