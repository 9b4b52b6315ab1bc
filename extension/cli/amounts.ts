import { CommandFailed } from './command-failed';

const hourMs = 3_600_000;
const durations: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };
const sizes: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };

/** The value of an option such as `12h`, `30d` or `4w`. */
export function millisecondsIn(text: string, option: string): number {
  return amountIn(text, durations, `${option} needs a number of hours, days or weeks, such as 12h, 30d or 4w`);
}

/** The value of an option such as `500kB`, `20MB` or `1GB`. */
export function bytesIn(text: string, option: string): number {
  return amountIn(text, sizes, `${option} needs a size such as 500kB, 20MB or 1GB`);
}

function amountIn(text: string, units: Readonly<Record<string, number>>, fault: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text) ?? [];
  const factor = units[unit.toLowerCase()];
  if (amount === undefined || factor === undefined) throw new CommandFailed(fault, true);
  return Number(amount) * factor;
}
