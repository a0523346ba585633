"""Records of banqi, luoqi and sanguo: ``own`` as JSON and PGN, ``platform`` as the Taiwanese platform's text."""
