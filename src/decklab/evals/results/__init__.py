"""Results of benchmarks: means with intervals, comparisons of systems, tables and pages."""
