"""What experiments share: how they are run and kept, their words, statistics, and what is printed beside measured."""
