const units = ['bytes', 'KB', 'MB', 'GB'] as const;
const step = 1024;

/** `812 bytes`, `4.2 KB`, `191.8 MB`, as file managers write it. */
export function formatSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= step && unit < units.length - 1) {
    size /= step;
    unit += 1;
  }
  const figure = unit === 0 ? String(size) : size.toFixed(1).replace(/\.0$/, '');
  return `${figure} ${units[unit]}`;
}
