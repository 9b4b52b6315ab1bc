import { describe, expect, it } from 'vitest';
import { openAiDestination, vscodeDestination } from '../../../extension/host/models/destination';
import { encodeKey, keyFor, originOf } from '../../../extension/host/models/stored-key';

describe('a stored key', () => {
  const stored = encodeKey({ origin: originOf('https://models.example/v1'), key: 'secret' });

  it('a stored key is used for the server it was entered for, with any path', () => {
    expect(keyFor('https://models.example/v1', stored)).toBe('secret');
    expect(keyFor('https://models.example/api/v2', stored)).toBe('secret');
  });

  it.each(['https://evil.example/v1', 'http://models.example/v1', 'https://models.example:444/v1', '', 'nonsense'])(
    'does not go to "%s"',
    (baseUrl) => {
      expect(keyFor(baseUrl, stored)).toBeUndefined();
    },
  );

  it.each([undefined, '', 'sk-plain', 'null', '{}', '{"origin": "", "key": "x"}', '{"origin": 1, "key": 2}'])(
    'is none when what is stored is %j',
    (value) => {
      expect(keyFor('https://models.example/v1', value)).toBeUndefined();
      expect(keyFor('', value)).toBeUndefined();
    },
  );
});

describe('a destination', () => {
  it('says what is sent, and whether the connection is not encrypted', () => {
    expect(openAiDestination('https://models.example/v1', 'm').sent).toMatch(/is sent there.*including files\.$/);
    expect(openAiDestination('http://models.example/v1', 'm').sent).toMatch(/not encrypted\.$/);
    expect(openAiDestination('http://localhost:1234/v1', 'm')).toMatchObject({
      isLocal: true,
      name: 'm at localhost:1234',
    });
    expect(vscodeDestination('copilot/gpt')).toMatchObject({ isLocal: false, id: 'vscode copilot/gpt' });
  });

  it('differs between servers, but not between models of one server', () => {
    const first = openAiDestination('https://a.example/v1', 'm').id;
    expect(openAiDestination('https://a.example/v1', 'n').id).toBe(first);
    expect(openAiDestination('https://b.example/v1', 'm').id).not.toBe(first);
  });
});
