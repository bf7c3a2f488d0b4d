"""Random operations, valid and invalid, on a service that two sides run: paths, parameters and bodies are the contract's."""
