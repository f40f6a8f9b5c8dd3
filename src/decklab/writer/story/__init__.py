"""What a deck says without a model: material of documents, ranked, paged and titled."""
