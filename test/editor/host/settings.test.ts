import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { test } from './test.ts';

test('a parameter of a strategy under its former name is a member of strata.strategies', () => {
  const strategies = vscode.workspace.getConfiguration('strata').get('strategies');
  assert.deepEqual(JSON.parse(JSON.stringify(strategies)), { prune: { protectTokens: 12_345 } });
});
