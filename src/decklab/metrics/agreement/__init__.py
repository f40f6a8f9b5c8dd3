"""How far scores agree with what people expected of attempts, and with themselves when repeated.

The meta-evaluation of rubrics of paper 001: section 4.1 and tables 1, 3 and 8.
"""
