import { oneDecimal } from '../../../extension/protocol/view';
import { t } from '../../l10n';

/** Formats of numbers and times in the panel. Callers pass the current time, so that the functions are testable. */

export { shareText as formatShare, tokensText as formatTokens } from '../../../extension/protocol/view';

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
