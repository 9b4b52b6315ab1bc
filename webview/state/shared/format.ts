import { t } from '../../l10n';

/** Formats of numbers and times in the panel. Callers pass the current time, so that the functions are testable. */

const thousand = 1_000;
const million = 1_000_000;

/** `84`, `1.3k`, `142.6k`, `200k`, `1.2M`. Exact below a thousand, because small rows differ by tens. */
export function formatTokens(tokens: number): string {
  const rounded = Math.round(tokens);
  if (Math.abs(rounded) < thousand) return String(rounded);
  if (Math.abs(rounded) < million - thousand / 20) return `${oneDecimal(rounded / thousand)}k`;
  return `${oneDecimal(rounded / million)}M`;
}

function oneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

/** Created once, because creating one takes longer than a thousand uses. */
const counts = new Intl.NumberFormat();
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const clocks = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** All digits, for tooltips. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** Day and second, for tooltips. */
export function formatMoment(time: number): string {
  return moments.format(time);
}

/** The time of day, for a column of times. */
export function formatClock(time: number): string {
  return clocks.format(time);
}

/** Whole per cent; `<1 %` for a part that rounds to zero. */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0) return '0 %';
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 1) return '<1 %';
  return `${Math.round(percent)} %`;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Age, for lists in which the exact minute does not matter. */
export function formatAge(time: number, now: number): string {
  const age = now - time;
  if (age < minute) return t('just now');
  if (age < hour) return t('{0} min ago', Math.floor(age / minute));
  if (age < day) return t('{0} h ago', Math.floor(age / hour));
  if (age < 30 * day) return t('{0} d ago', Math.floor(age / day));
  return new Date(time).toLocaleDateString();
}

/** The time of day, preceded by the date if it is not today. */
export function formatTime(time: number, now: number): string {
  const date = new Date(time);
  const clock = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  if (date.toDateString() === new Date(now).toDateString()) return clock;
  return `${date.toLocaleDateString(undefined, { month: 'short', day: 'numeric' })} ${clock}`;
}

export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return t('{0} ms', Math.round(milliseconds));
  if (milliseconds < minute) return t('{0} s', oneDecimal(milliseconds / 1_000));
  return t('{0} min {1} s', Math.floor(milliseconds / minute), Math.round((milliseconds % minute) / 1_000));
}

/** The last segments of a path, which distinguish sessions; show the whole path in a tooltip. */
export function tailOfPath(path: string, segments = 2): string {
  const parts = path.split(/[\\/]/).filter((part) => part.length > 0);
  return parts.length <= segments ? path : `…/${parts.slice(-segments).join('/')}`;
}

const byteUnits = ['bytes', 'KB', 'MB', 'GB'] as const;
const byteStep = 1024;

/** `812 bytes`, `4.2 KB`, `191.8 MB`, as in file managers. */
export function formatSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= byteStep && unit < byteUnits.length - 1) {
    size /= byteStep;
    unit += 1;
  }
  if (unit === 0) return t('{0} bytes', size);
  return `${oneDecimal(size)} ${byteUnits[unit]}`;
}
