import type { ThirdParty } from './third-parties.ts';

const line = '-'.repeat(80);

/** Licences and notices of everything that is bundled, as one text. */
export function noticesOf(product: string, parties: readonly ThirdParty[]): string {
  const intro = `${product} contains the packages below. Their licences and notices follow, as they came with them.`;
  return `${[intro, ...parties.map(noticeOf)].join('\n\n')}\n`;
}

function noticeOf({ name, version, license, homepage, texts }: ThirdParty): string {
  const address = homepage === null ? [] : [homepage];
  return [line, `${name} ${version} (${license})`, ...address, line, '', texts.join('\n\n')].join('\n');
}
