import { InvalidArgumentError } from 'commander';

export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** `acme, globex` → both, each once. */
export function list(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))];
}

export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

export function positive(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

export function aboveZero(text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be a number above 0.');
}

/** From 0 to 1. */
export function share(text: string): number {
  const number = Number(text);
  if (number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
}

const hourMs = 3_600_000;
const durations: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };
const sizes: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };

/** `12h`, `30d` or `4w` in milliseconds. */
export function duration(text: string): number {
  return amount(text, durations, 'It must be a number of hours, days or weeks, such as 12h, 30d or 4w.');
}

/** `500kB`, `20MB` or `1GB` in bytes. */
export function size(text: string): number {
  return amount(text, sizes, 'It must be a size such as 500kB, 20MB or 1GB.');
}

function amount(text: string, units: Readonly<Record<string, number>>, fault: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text) ?? [];
  const factor = units[unit.toLowerCase()];
  if (number === undefined || factor === undefined) throw new InvalidArgumentError(fault);
  return Number(number) * factor;
}
