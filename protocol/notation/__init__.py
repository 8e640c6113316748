"""The Three Coins notation: games written down, read back and checked (NOTATION.md).

`reading` turns bytes into pieces, `checking` checks pieces, `writing` makes text. `rounds` plays a
round again by the rules that the table uses.
"""
