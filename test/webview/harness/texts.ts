import type { ImageView, RowDetail } from '../../../extension/protocol/view';
import { picture } from './pixels.ts';

/** Every form of Markdown. */
const structured = `# The loader

The loader now reads **YAML** and *TOML* through \`readConfig()\`, ~~not INI~~. See [the guide](https://example.org/guide?a=1), [a mail](mailto:dev@example.org) and [a script](javascript:alert(1)).

## What changed

1. One schema for both formats
2. Errors name the path
   - also the ones of \`include\`
   - and of defaults

- [x] tests pass
- [ ] documentation

> Never change the public signature.
> It is used by plugins.

\`\`\`ts
/** Reads the configuration, or says why not. */
export async function readConfig(path: string, limit = 20): Promise<Config> {
  const text = await readFile(path, 'utf8'); // may throw
  return text.length > limit ? parse(text) : null;
}
\`\`\`

\`\`\`
no language here
\`\`\`

| format | tests | time |
| :--- | ---: | :---: |
| YAML | 41 | 1.2 s |
| TOML | 38 | 0.9 s |

---

<div onclick="alert(1)">markup stays <b>text</b></div>

![a diagram](https://example.org/diagram.png)

أصلح محمّل الإعدادات \`config.yaml\` ثم شغّل الاختبارات
`;

/** Text that someone may put into a session to mislead a reader or to attack the page. */
export const hostileText = [
  '<img src=x onerror="document.title=\'bad\'"><script>document.title="bad"</script>',
  '\u001b[31mred\u001b[0m and \u001b]0;title\u0007',
  'user\u202Enimda\u202C \u2066isolated\u2069 zero\u200Bwidth \uFEFF',
  'half a pair \uD83D and the other \uDE00',
  '[click](javascript:document.title="bad") ![pixel](https://example.org/pixel.png)',
  `one line of ${'x'.repeat(40_000)}`,
].join('\n\n');

const said = (text: string, images: readonly ImageView[] = []): RowDetail => ({
  sections: [{ label: '', text, cut: false, tone: 'markdown' }],
  images,
  origin: null,
  entryId: null,
});

export const pictures: readonly ImageView[] = [
  picture(240, 160, 40),
  picture(90, 160, 200),
  { mediaType: 'image/svg+xml', source: null },
];

/** Details of the rows that tests add. */
export const textDetails: readonly [string, RowDetail][] = [
  ['structured', said(structured)],
  ['hostile', said(hostileText)],
  ['pictured', said('Look at these.', pictures)],
];
