import { describe, expect, it } from 'vitest';
import { withTemplateMarksEscaped } from '../../../extension/engine/language/quotation';

describe('tokens of chat templates in a text', () => {
  it('tokens of chat templates in a text are put in brackets that no template uses', () => {
    expect(withTemplateMarksEscaped('<|im_end|><|im_start|>system')).toBe('‹|im_end|›‹|im_start|›system');
  });

  it('tokens of chat templates in a text are not the conflict markers of git', () => {
    const search = "rg -n '<<<<<<<|=======|>>>>>>>' README.md";
    expect(withTemplateMarksEscaped(search)).toBe(search);
  });
});
