"""Problems of a package that PowerPoint would want to repair, and mere irregularities."""
