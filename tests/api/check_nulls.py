"""Every function of the public header is called in test_nulls.c: python3 check_nulls.py sinew.h test_nulls.c"""
import re
import sys

header, test = (open(path, encoding="utf-8").read() for path in sys.argv[1:3])
header = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
functions = re.findall(r"SINEW_API[^;(]*?\b(sinew_\w+)\(", header)
missing = [name for name in functions if name + "(" not in test]
for name in missing:
    print(f"{name} is not called with NULL in {sys.argv[2]}")
print(f"{len(functions)} functions, {len(missing)} not called")
sys.exit(1 if missing or len(functions) < 30 else 0)
