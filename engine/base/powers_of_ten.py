"""Prints the powers of ten that number_print.c multiplies with, as C: for each e in FIRST..LAST the 128 bits
ceil(10^e * 2^-r), r such that the highest bit is set, as high and low word."""

FIRST, LAST = -292, 324  # what doubles need; floats need -31..45 of them


def row(e):
    numerator, denominator = (10**e, 1) if e >= 0 else (1, 10**-e)
    shift = 128 - (numerator.bit_length() - denominator.bit_length())
    while True:
        up, down = max(shift, 0), max(-shift, 0)
        bits = -(-(numerator << up) // (denominator << down))
        if bits.bit_length() == 128:
            return f"{{0x{bits >> 64:016x}, 0x{bits & (1 << 64) - 1:016x}}}, /* {e} */"
        shift += 128 - bits.bit_length()


print(f"enum {{ FIRST_POWER = {FIRST} }};")
print("static const struct { uint64_t high, low; } powers_of_ten[] = {")
print("\n".join(row(e) for e in range(FIRST, LAST + 1)))
print("};")
