"""Two networks whose matrices differ, block by block.

A block maps rows X to Π(Π(ReLU(Π(Σ_h softmax(X Q_h Xᵀ) X V_h) M_in)) M_out). With the errors δ before it, caps c on the
operator norms of the first network's matrices and e on those of the differences, a head's mean moves by at most
(c_Q + √(1 + c_Q²)) δ + e_Q, all along the way on which rows and query move. Norms and the triangle inequality give

    δ' ≤ c_O (c_I Σ_h (c_V ((c_Q + √(1 + c_Q²)) δ + e_Q) + e_V) + e_I) + e_O,

and with α_l the product of c_O c_I Σ_h c_V (c_Q + √(1 + c_Q²)) from block l on the steps α_{l+1} δ_{l+1} - α_l δ_l add
up.
"""

from boundaudit.derivations.symbols import symbol

l_net = symbol("l_net", "number of a block", integer=True, positive=True)
g_net = symbol("g_net", "number of a head", integer=True, positive=True)
k_net = symbol("k_net", "distinct tokens of a network", integer=True, positive=True)
d_net = symbol("d_net", "length of a row of a network", integer=True, positive=True)
