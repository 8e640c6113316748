"""The Three Coins notation: games written down, read back and checked (NOTATION.md).

`reading` turns bytes into pieces, `checking` checks pieces, and `writing` makes text. `rounds`
plays the rounds of a record again by the same rules as at the table.
"""
