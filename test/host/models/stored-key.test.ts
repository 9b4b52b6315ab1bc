import { describe, expect, it } from 'vitest';
import { openAiDestination, vscodeDestination } from '../../../extension/host/models/destination';
import { encodeKey, keyFor, originOf } from '../../../extension/host/models/stored-key';

describe('a stored key', () => {
  const stored = encodeKey({ origin: originOf('https://models.example/v1'), key: 'secret' });

  it('goes to the server that it was entered for, whatever the path', () => {
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
  it('says what leaves the machine, and when it does so in the open', () => {
    expect(openAiDestination('https://models.example/v1', 'm').sent).toMatch(/is sent there.*files included\.$/);
    expect(openAiDestination('http://models.example/v1', 'm').sent).toMatch(/not encrypted\.$/);
    expect(openAiDestination('http://localhost:1234/v1', 'm')).toMatchObject({
      isLocal: true,
      name: 'm at localhost:1234',
    });
    expect(vscodeDestination('copilot/gpt')).toMatchObject({ isLocal: false, id: 'vscode copilot/gpt' });
  });

  it('is another one for another address, and the same for another model there', () => {
    const first = openAiDestination('https://a.example/v1', 'm').id;
    expect(openAiDestination('https://a.example/v1', 'n').id).toBe(first);
    expect(openAiDestination('https://b.example/v1', 'm').id).not.toBe(first);
  });
});
