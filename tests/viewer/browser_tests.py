"""All tests that need a browser, in one Chromium.

    python3 browser_tests.py <carom> <contact_run> [name…]     each file also runs by itself
"""

import sys
import unittest

import live_test
import page_contacts_test
import page_crowds_test
import page_test
import study_test

MODULES = (page_test, page_contacts_test, page_crowds_test, live_test, study_test)

if __name__ == "__main__":
    load = unittest.defaultTestLoader
    names = sys.argv[3:]
    load.testNamePatterns = [f"*{name}*" for name in names] or None
    suite = unittest.TestSuite(load.loadTestsFromModule(m) for m in MODULES)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
