import { describe, expect, it } from 'vitest';
import { chosenRow } from '../../extension/host/panel/row-menu-choice';

const webviews = ['strata.inspector', 'strata.inspectorEditor'];

describe('the row whose context menu it was', () => {
  it('comes with the webview that it is in', () => {
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
  ])('is none where a command was run with %j', (context) => {
    expect(chosenRow(context, webviews)).toBeNull();
  });
});
