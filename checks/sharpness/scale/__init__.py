"""The scale λ of the attention logits: exactness against norm, and a smaller one for the first layer."""
