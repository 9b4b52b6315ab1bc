const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const units: readonly {
  readonly unit: Intl.RelativeTimeFormatUnit;
  readonly length: number;
  readonly below: number;
}[] = [
  { unit: 'minute', length: minute, below: hour },
  { unit: 'hour', length: hour, below: day },
  { unit: 'day', length: day, below: 30 * day },
];

const formats = new Map<string, Intl.RelativeTimeFormat>();

/** Made once: a list has hundreds of times; a format for each would delay it. */
function formatOf(language: string): Intl.RelativeTimeFormat {
  const format = formats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  formats.set(language, format);
  return format;
}

/** A relative time for lists: `now`, `5 min. ago`, `yesterday`; a date after a month. Times in milliseconds. */
export function relativeTime(time: number, now: number, language: string): string {
  // Clocks differ between machines, so a time in the future counts as now.
  const age = Math.max(0, now - time);
  const fitting = units.find(({ below }) => age < below);
  if (!fitting) return new Date(time).toLocaleDateString(language);
  const format = formatOf(language);
  return age < minute ? format.format(0, 'second') : format.format(-Math.floor(age / fitting.length), fitting.unit);
}
