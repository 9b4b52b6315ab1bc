import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DefaultTheme, defineConfig, type MarkdownOptions } from 'vitepress';
import { repository, version } from '../../scripts/packages/manifests.ts';
import { repositoryPage } from './repository-page.ts';

/** Files of the pages that are no pages. */
const downloads = ['study/scores.csv'];

const links = (...items: readonly (readonly [text: string, link: string])[]): DefaultTheme.SidebarItem[] =>
  items.map(([text, link]) => ({ text, link }));

const group = (text: string, items: DefaultTheme.SidebarItem[], collapsed?: boolean): DefaultTheme.SidebarItem => ({
  text,
  items,
  ...(collapsed === undefined ? {} : { collapsed }),
});

const sidebar: DefaultTheme.SidebarItem[] = [
  group(
    'Start',
    links(
      ['First steps', '/'],
      ['The panel', '/panel'],
      ['Commands', '/commands'],
      ['Chat', '/chat'],
      ['Other editors', '/editors'],
    ),
  ),
  group(
    'Agents',
    links(
      ['Claude Code', '/agents/claude-code'],
      ['Codex', '/agents/codex'],
      ['Copilot CLI', '/agents/copilot-cli'],
      ['pi', '/agents/pi'],
      ['Qwen Code', '/agents/qwen-code'],
      ['Gemini CLI', '/agents/gemini-cli'],
      ['OpenCode', '/agents/opencode'],
      ['Kilo Code', '/agents/kilo-code'],
      ['Cline', '/agents/cline'],
      ['Roo Code', '/agents/roo-code'],
      ['VS Code chat', '/agents/vscode-chat'],
      ['What is read of each', '/agents'],
      ['Strata inside agents', '/inside-agents'],
      ['Set up agents', '/setup'],
      ['MCP server', '/mcp'],
      ['Tools', '/tools'],
    ),
  ),
  group(
    'Frameworks',
    links(
      ['AI SDK', '/frameworks/ai-sdk'],
      ['LangChain', '/frameworks/langchain'],
      ['Deep agents', '/frameworks/deep-agents'],
      ['OpenAI SDK', '/frameworks/openai'],
      ['Anthropic SDK', '/frameworks/anthropic'],
      ['An array of messages', '/frameworks/messages'],
      ['Gateway', '/frameworks/gateway'],
      ['Telemetry', '/telemetry'],
      ['All of it', '/middleware'],
      ['Recognition', '/recognition'],
    ),
  ),
  group(
    'Compaction',
    links(
      ['Strategies', '/strategies'],
      ['The ladder', '/ladder'],
      ['Automatic compaction', '/automatic'],
      ['Models', '/models'],
      ['Memory', '/memory'],
      ['Policies', '/policies'],
      ['Strata’s models', '/model-provider'],
    ),
  ),
  group(
    'Evidence',
    links(
      ['Study', '/study'],
      ['Study: method', '/study/method'],
      ['Study: without a model', '/study/without-a-model'],
      ['Study: real compactions', '/study/real-boundaries'],
      ['Study: report', '/study/report'],
      ['Study: replay', '/study/replay'],
      ['Study: evidence', '/study/evidence'],
      ['Study: when to compact', '/study/schedule'],
      ['Study: algorithms', '/study/algorithms'],
      ['Evaluation', '/evaluation'],
    ),
  ),
  group(
    'Reference',
    links(
      ['Command line', '/cli'],
      ['Library', '/library'],
      ['Serving many agents', '/scale'],
      ['Stores', '/stores'],
      ['A gateway for a team', '/team'],
      ['API', '/api/'],
      ['Specification', '/specification'],
      ['Specification: strategies', '/specification/strategies'],
      ['Specification: policies', '/specification/policies'],
      ['Message shapes', '/message-shapes'],
    ),
  ),
  group('Project', links(['Architecture', '/architecture'], ['Releasing', '/releasing']), true),
];

/**
 * `<name>` in a page is text, what stands outside `docs` is a page of the repository, and whoever wants no motion gets the last
 * picture of a moving one.
 */
const markdown: MarkdownOptions = {
  html: false,
  config(md) {
    const image = md.renderer.rules.image;
    md.renderer.rules.image = (tokens, index, options, env, self) => {
      const still = tokens[index]?.attrGet('src')?.replace(/\.webp$/, '.png') ?? '';
      const picture = image?.(tokens, index, options, env, self) ?? '';
      if (!picture.includes('.webp')) return picture;
      return `<picture><source media="(prefers-reduced-motion: reduce)" srcset="./${still}">${picture}</picture>`;
    };
    const render = md.renderer.rules.link_open;
    md.renderer.rules.link_open = (tokens, index, options, env, self) => {
      const token = tokens[index];
      const href = token?.attrGet('href') ?? '';
      const outside = repositoryPage(env.relativePath, href, repository);
      if (outside !== null) token?.attrSet('href', outside);
      return render?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
    };
  },
};

export default defineConfig({
  title: 'Strata',
  description: 'See, compact, undo and protect the context of coding agents.',
  lang: 'en',
  base: process.env.STRATA_SITE_BASE ?? '/',
  outDir: '../dist/site',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: false,
  rewrites: { 'api/README.md': 'api/index.md' },
  markdown,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: links(['Start', '/'], ['API', '/api/'], ['Study', '/study']) as DefaultTheme.NavItem[],
    sidebar,
    footer: { message: `Version ${version}. MIT licensed.` },
  },
  async buildEnd({ srcDir, outDir }) {
    for (const file of downloads) {
      await mkdir(dirname(join(outDir, file)), { recursive: true });
      await copyFile(join(srcDir, file), join(outDir, file));
    }
  },
});
