/** `84`, `1.3k`, `142.6k`, `200k`, `1.2M`. Exact below a thousand, because small rows differ by tens. */
export function tokensText(tokens: number): string {
  const rounded = Math.round(tokens);
  if (Math.abs(rounded) < 1000) return String(rounded);
  if (Math.abs(rounded) < 999_950) return `${oneDecimal(rounded / 1000)}k`;
  return `${oneDecimal(rounded / 1_000_000)}M`;
}

/** Whole percent; `<1 %` for small shares above 0. */
export function shareText(part: number, whole: number): string {
  const percent = whole > 0 ? (part / whole) * 100 : 0;
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}

/** `1.5`, `2`: one decimal at most. */
export function oneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
