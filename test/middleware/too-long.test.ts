import { describe, expect, it } from 'vitest';
import { tooLongIn } from '../../extension/middleware/requests/too-long';

describe('an error of a provider', () => {
  it.each([
    ['prompt is too long: 210120 tokens > 200000 maximum', 210120, 200000],
    ['input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease it', 188240, 178667],
    [
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130970 tokens.",
      130970,
      128000,
    ],
    [
      "This model's maximum context length is 131072 tokens. However, you requested 139162 tokens (130970 in the messages, 8192 in the completion).",
      130970,
      122880,
    ],
    [
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 275000 tokens.',
      275000,
      272000,
    ],
    ['The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).', 1200293, 1048576],
    ['the request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it', 9001, 8192],
    ['{"error":{"code":"context_length_exceeded","message":"Please shorten it."}}', null, null],
    ['Your input exceeds the context window of this model. Please adjust your input and try again.', null, null],
  ])('says that a request is too long: %s', (text, tokens, most) => {
    expect(tooLongIn(text)).toEqual({ tokens, most });
  });

  it('says something else', () => {
    expect(tooLongIn('max_tokens: 64000 > 32000, which is the maximum allowed')).toBeNull();
    expect(tooLongIn('{"error":{"type":"rate_limit_error","message":"Too many tokens a minute"}}')).toBeNull();
  });
});
