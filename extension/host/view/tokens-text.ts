/** Token counts for display, as in the panel: 950, 12.4k, 142.6k, 182k, 1.2M. */
export function tokensText(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_950) return `${oneDecimal(tokens / 1000)}k`;
  return `${oneDecimal(tokens / 1_000_000)}M`;
}

function oneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
