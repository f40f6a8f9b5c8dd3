"""UniPPTBench, paper 004: presentations from four kinds of input, judged by what each asks for."""
