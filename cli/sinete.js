#!/usr/bin/env node
// The command of a checkout: npm links it into node_modules/.bin, where npx finds the Node of the checkout as well. The
// first line makes npm write a .cmd file for it on Windows.
import '../src/app/sinete.js';
