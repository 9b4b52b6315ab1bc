import { t } from '../../l10n';

const units = ['bytes', 'KB', 'MB', 'GB'] as const;
const step = 1024;

/** `812 bytes`, `4.2 KB`, `191.8 MB`, as in file managers. */
export function formatSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= step && unit < units.length - 1) {
    size /= step;
    unit += 1;
  }
  if (unit === 0) return t('{0} bytes', size);
  return `${size.toFixed(1).replace(/\.0$/, '')} ${units[unit]}`;
}
