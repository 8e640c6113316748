"""The Three Coins notation: games written down, read back and checked (NOTATION.md).

`reading` turns bytes into pieces, `checking` judges pieces, `writing` makes text. `judging` judges
a round by playing it again with the rules that the table uses.
"""
