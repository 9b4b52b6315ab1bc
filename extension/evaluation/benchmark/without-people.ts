/**
 * Takes secrets and people out of the text of a session file, before it is written anywhere. Only what looks like a key,
 * an address or a home folder is taken out; a name in a sentence stays. The lines stay valid JSON: neither what is
 * replaced nor its replacement contains a quotation mark or a backslash of an escape.
 */
export function withoutPeople(text: string): string {
  return rules.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}

const rules: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?-----END [A-Z ]*PRIVATE KEY-----/g, 'REMOVED-PRIVATE-KEY'],
  [/\b(?:sk|pk|rk)[-_](?:ant|proj|live|test|or)?[-_]?[A-Za-z0-9_-]{16,}/g, 'REMOVED-KEY'],
  [/\b(?:gh[oprsu]|github_pat|glpat|xox[abprs]|npm|hf)[_-][A-Za-z0-9_-]{16,}/g, 'REMOVED-KEY'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, 'REMOVED-KEY'],
  [/\bAIza[A-Za-z0-9_-]{30,}/g, 'REMOVED-KEY'],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}/g, 'REMOVED-TOKEN'],
  [/(?<=\b[Bb]earer )[A-Za-z0-9._~+/-]{16,}=*/g, 'REMOVED-TOKEN'],
  [/(?<=:\/\/[^\s:@/"\\]{1,64}:)[^\s@/"\\]{3,}(?=@)/g, 'REMOVED-PASSWORD'],
  [
    /(?<=(?:password|passwd|secret|token|api[_-]?key)["']?\s?[=:]\s?["']?)(?=[^\s"'\\,;]*\d)[A-Za-z0-9+/_.~-]{16,}/gi,
    'REMOVED-SECRET',
  ],
  [/[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}/g, 'someone@example.com'],
  [/(?<=\/(?:Users|home)\/)(?!someone\b)[A-Za-z][\w.-]*/g, 'someone'],
  [/(?<=-(?:Users|home)-)(?!someone\b)[A-Za-z]\w*/g, 'someone'],
  [/(?<=[A-Za-z]:(?:\\\\|\/)Users(?:\\\\|\/))(?!someone\b)[A-Za-z][\w. -]*?(?=\\|\/|")/g, 'someone'],
];
