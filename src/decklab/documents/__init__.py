"""Reading documents: text, figures, tables and numbers with their places, as one knowledge base."""
