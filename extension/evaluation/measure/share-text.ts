import type { Estimate } from './report';

/** A mean share in percent, with its interval and the number of values. */
export function shareText(estimate: Estimate | null | undefined): string {
  return estimate ? `${percentText(estimate)} (${estimate.count})` : '–';
}

export function percentText({ mean, low, high }: Estimate): string {
  const [middle, least, most] = [mean, low, high].map((value) => (value * 100).toFixed(0));
  return `${middle} [${least}, ${most}]`;
}
