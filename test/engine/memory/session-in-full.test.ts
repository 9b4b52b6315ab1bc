import { describe, expect, it } from 'vitest';
import { assistant, call, long, result, talk, user } from '../../builders/conversation';
import { compact } from '../../builders/run';

const conversation = talk(
  user('Write the settings as YAML. Never touch the public API.'),
  call('1', 'edit', { path: 'src/settings.ts', old_string: 'a', new_string: 'b' }, 'I write it.'),
  result('1', long('edited')),
  assistant('The root cause was a stale cache in src/cache.ts. I decided to keep one file because it is read by hand.'),
  user('Use TOML instead of YAML.'),
  assistant(long('I replaced the writer.')),
  user('Now write the tests.'),
);

describe('the newest summary of a session', () => {
  it('the newest summary of a session is shown in full: what was asked, newest first, and what was done', async () => {
    const { records } = await compact(conversation, { strategy: 'observations' });
    const text = records[0]?.text ?? '';
    expect(text).toMatch(/ {2}asked: .*Use TOML instead of YAML\./);
    expect(text).toMatch(/ {2}done: .*src\/settings\.ts/);
  });
});
