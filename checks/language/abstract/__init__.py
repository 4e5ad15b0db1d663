"""Vectors of any dimension, functions and linear maps known by properties, random variables, written out in numbers.

A `Space` is a domain in which such things are parameters. What a claim says of them is turned into a claim about
numbers and entries of vectors that says the same: n vectors have coordinates in which the k-th has k of them; that a
function of some class passes through given points is a set of inequalities between its values and slopes there, and
that a linear map of some class takes given vectors to others one between inner products; a law on finitely many
outcomes is a vector of chances. So every engine that searches and proves is there for them.
"""
