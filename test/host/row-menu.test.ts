import { describe, expect, it, vi } from 'vitest';
import { chosenRow } from '../../extension/host/panel/row-menu';

vi.mock('vscode', () => ({}));

const webviews = ['strata.inspector', 'strata.inspectorEditor'];

describe('the row of a context menu command', () => {
  it('comes with the type of its webview', () => {
    const context = { webviewSection: 'row', strataRow: 'entry:7', webview: 'strata.inspectorEditor' };
    expect(chosenRow(context, webviews)).toEqual({ key: 'entry:7', webview: 'strata.inspectorEditor' });
  });

  it.each([
    [undefined],
    [null],
    ['entry:7'],
    [{ strataRow: 'entry:7' }],
    [{ strataRow: 'entry:7', webview: 'another.panel' }],
    [{ strataRow: 7, webview: 'strata.inspector' }],
  ])('the row of a context menu command is null for a command with the argument %j', (context) => {
    expect(chosenRow(context, webviews)).toBeNull();
  });
});
