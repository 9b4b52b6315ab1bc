import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutPeople } from '../../../extension/evaluation/benchmark/without-people';
import { fixtures } from '../../sessions/samples';

const secrets = [
  ['a key of a provider', `sk-ant-api03-${'a1B2'.repeat(8)}`],
  ['a token of GitHub', `ghp_${'x9Y8'.repeat(9)}`],
  ['a key of AWS', 'AKIAIOSFODNN7EXAMPLE'],
  ['a web token', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'q'.repeat(20)}`],
  ['a bearer token', `Bearer ${'f00'.repeat(8)}`],
  ['a password in an address', 'postgres://app:hunter22@db.internal/app'],
  ['a secret in a variable', `API_KEY=${'0a1b'.repeat(6)}`],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----'],
] as const;

describe('a session without secrets and people', () => {
  it.each(secrets)('has no longer %s', (_, secret) => {
    const line = JSON.stringify({ type: 'user', text: `Use ${secret} for it, and "keep" the rest.` });
    const clean = withoutPeople(line);
    expect(clean).toMatch(/REMOVED-|someone@example/);
    const { text } = JSON.parse(clean);
    expect(text).toMatch(/^Use .*for it, and "keep" the rest\.$/s);
    const [core = ''] = /hunter22|MIIEow|[\w-]{16,}/.exec(secret.replace(/^.*(?:Bearer|=)\s*/, '')) ?? [];
    expect(text).not.toContain(core);
  });

  it('names no person in addresses and home folders', () => {
    const line = JSON.stringify({
      cwd: '/Users/jane.doe/Code/app',
      other: 'C:\\Users\\Jane Doe\\app',
      project: '-home-jane-app',
      text: 'Written by jane@company.org in /home/jane/app.',
    });
    expect(JSON.parse(withoutPeople(line))).toEqual({
      cwd: '/Users/someone/Code/app',
      other: 'C:\\Users\\someone\\app',
      project: '-home-someone-app',
      text: 'Written by someone@example.com in /home/someone/app.',
    });
  });

  it('keeps code, commits and paths', () => {
    const text = 'const token = readToken(); // 0123456789abcdef0123456789abcdef01234567 in src/auth/token-store.ts';
    expect(withoutPeople(text)).toBe(text);
  });

  it('leaves every line of a real session valid, and changes nothing the second time', () => {
    const text = readFileSync(join(fixtures, 'claude-code-2.1.330', 'after-compaction.jsonl'), 'utf8');
    const clean = withoutPeople(text);
    for (const line of clean.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
    expect(withoutPeople(clean)).toBe(clean);
  });
});
