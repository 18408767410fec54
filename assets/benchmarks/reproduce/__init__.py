"""Parts of reproduce.py. One module per document has its measurements, published values and figures."""
