import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { namesIn } from '../../platform/files/names-in';
import { systemErrorCode } from '../../platform/files/with-file';
import type { AgentId, Session } from '../session';

/** A file that an agent reads into its system prompt, or the part of it that it reads. */
export interface MemoryFile {
  /** `memory`: the whole text. `agent` and `skill`: only name and description. */
  readonly kind: 'memory' | 'agent' | 'skill';
  readonly path: string;
  readonly text: string;
}

/** Where an agent looks for its memory files. */
interface MemoryPlaces {
  /** Names of files in the session's folder and in the folders above it. */
  readonly inFolders: readonly string[];
  /** Paths below the person's home. */
  readonly inHome: readonly string[];
  /** Lines of the form `@path` in them import further files. */
  readonly imports?: true;
  /** Only the first file of `inFolders` that exists in a folder is read. */
  readonly firstOnly?: true;
  /** Folders of rules, below the session's folder and those above it, and below the person's home. */
  readonly ofRules?: readonly string[];
  /** Folders of agents and skills, below the session's folder and the person's home. */
  readonly ofAgents?: readonly string[];
  readonly ofSkills?: readonly string[];
}

const agentsFile = 'AGENTS.md';
const claudeSkills = join('.claude', 'skills');

const places: Readonly<Partial<Record<AgentId, MemoryPlaces>>> = {
  'claude-code': {
    inFolders: ['CLAUDE.md', join('.claude', 'CLAUDE.md'), 'CLAUDE.local.md'],
    inHome: [join('.claude', 'CLAUDE.md')],
    imports: true,
    ofRules: [join('.claude', 'rules')],
    ofAgents: [join('.claude', 'agents')],
    ofSkills: [claudeSkills],
  },
  cline: { inFolders: [agentsFile, '.clinerules'], inHome: [], ofRules: ['.clinerules'] },
  codex: {
    inFolders: ['AGENTS.override.md', agentsFile],
    inHome: [join('.codex', 'AGENTS.override.md'), join('.codex', agentsFile)],
    firstOnly: true,
    ofSkills: [join('.codex', 'skills')],
  },
  'copilot-cli': {
    inFolders: [join('.github', 'copilot-instructions.md'), agentsFile, 'CLAUDE.md', 'GEMINI.md'],
    inHome: [join('.copilot', 'copilot-instructions.md')],
    ofRules: [join('.github', 'instructions'), join('.copilot', 'instructions')],
    ofAgents: [join('.github', 'agents'), join('.copilot', 'agents')],
    ofSkills: [join('.github', 'skills'), claudeSkills, join('.copilot', 'skills')],
  },
  'gemini-cli': {
    inFolders: ['GEMINI.md'],
    inHome: [join('.gemini', 'GEMINI.md')],
    imports: true,
    ofSkills: [join('.gemini', 'skills')],
  },
  kilo: {
    inFolders: [agentsFile, 'CLAUDE.md'],
    inHome: [join('.config', 'kilo', agentsFile)],
    firstOnly: true,
    ofRules: [join('.kilocode', 'rules')],
    ofSkills: [join('.kilo', 'skills'), claudeSkills],
  },
  opencode: {
    inFolders: [agentsFile, 'CLAUDE.md'],
    inHome: [join('.config', 'opencode', agentsFile)],
    firstOnly: true,
    ofSkills: [join('.opencode', 'skills'), join('.config', 'opencode', 'skills'), claudeSkills],
  },
  pi: {
    inFolders: [agentsFile, 'CLAUDE.md'],
    inHome: [join('.pi', 'agent', agentsFile)],
    firstOnly: true,
    ofSkills: [join('.pi', 'skills'), join('.pi', 'agent', 'skills')],
  },
  'qwen-code': {
    inFolders: ['QWEN.md', agentsFile],
    inHome: [join('.qwen', 'QWEN.md')],
    imports: true,
    ofAgents: [join('.qwen', 'agents')],
    ofSkills: [join('.qwen', 'skills')],
  },
};

/** Bytes. A larger file is not a memory file. */
const maxSize = 256 * 1024;
const maxFiles = 60;
/** Maximum depth of imports, as in Claude Code. */
const maxDepth = 5;

/**
 * The memory files that an agent reads for a session in this folder, as they are on disk now. Only files in the folder, in
 * those above it and in the agent's part of the person's home are read; imports and links that lead elsewhere are not.
 */
export async function readMemoryFiles(
  { agent, cwd: named }: Pick<Session, 'agent' | 'cwd'>,
  home: string,
): Promise<readonly MemoryFile[]> {
  const found = places[agent];
  if (found === undefined) return [];
  const cwd = named !== null && isAbsolute(named) ? named : null;
  const folders = cwd === null ? [] : foldersUpFrom(cwd);
  const own = [found.inHome.map(dirname), found.ofRules ?? [], found.ofAgents ?? [], found.ofSkills ?? []].flat();
  const homes = [...new Set(own.map((path) => join(home, path)))];
  const reader = new MemoryReader([...(cwd === null ? [] : [cwd]), ...homes], found.imports === true);
  await reader.readNamed(
    found.inHome.map((path) => join(home, path)),
    found.firstOnly === true,
  );
  for (const rules of found.ofRules ?? []) await reader.readRules(join(home, rules));
  for (const folder of folders.reverse()) {
    const named = found.inFolders.map((name) => join(folder, name));
    await reader.readNamed(named, found.firstOnly === true, folder);
    for (const rules of found.ofRules ?? []) await reader.readRules(join(folder, rules), folder);
  }
  for (const base of [home, ...(cwd === null ? [] : [cwd])]) {
    for (const agents of found.ofAgents ?? []) {
      await reader.readHeads('agent', await filesIn(join(base, agents), /\.md$/));
    }
    for (const folder of found.ofSkills ?? []) {
      const skills = await filesIn(join(base, folder), /^[^.]/);
      await reader.readHeads(
        'skill',
        skills.map((skill) => join(skill, 'SKILL.md')),
      );
    }
  }
  return reader.files;
}

class MemoryReader {
  readonly files: MemoryFile[] = [];
  readonly #seen = new Set<string>();

  constructor(
    private readonly roots: readonly string[],
    private readonly followsImports: boolean,
  ) {}

  /** Files of one folder, or only the first of them that exists. */
  async readNamed(paths: readonly string[], isFirstOnly: boolean, root?: string): Promise<void> {
    for (const path of paths) {
      const before = this.files.length;
      await this.read(path, root);
      if (isFirstOnly && this.files.length > before) return;
    }
  }

  /** Rules for certain files are read only when the agent works on those files. */
  async readRules(folder: string, root?: string): Promise<void> {
    for (const path of await filesIn(folder, /\.md$/)) {
      const text = await this.#textOf(path, root);
      if (text !== null && !/^(?:paths|applyTo|globs):(?!\s*(?:- *)?['"]?\*\*['"]?\s*$)/m.test(frontMatterOf(text)))
        this.files.push({ kind: 'memory', path, text });
    }
  }

  /** `root`: a further folder in which the file's real path may be. */
  async read(path: string, root?: string, depth = 0): Promise<void> {
    const text = await this.#textOf(path, root);
    if (text === null) return;
    this.files.push({ kind: 'memory', path, text });
    if (!this.followsImports || depth >= maxDepth) return;
    for (const imported of importsIn(text)) await this.read(resolve(dirname(path), imported), root, depth + 1);
  }

  async readHeads(kind: 'agent' | 'skill', paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const text = await this.#textOf(path);
      if (text !== null) this.files.push({ kind, path, text: headOf(text, path) });
    }
  }

  async #textOf(path: string, root?: string): Promise<string | null> {
    if (this.files.length >= maxFiles) return null;
    try {
      const real = await realpath(path);
      const roots = root === undefined ? this.roots : [...this.roots, root];
      if (this.#seen.has(real) || !(await isWithinAny(real, roots))) return null;
      this.#seen.add(real);
      const found = await stat(real);
      return found.isFile() && found.size <= maxSize ? await readFile(real, 'utf8') : null;
    } catch (error) {
      // Most of the places are empty.
      if (systemErrorCode(error) === null) throw error;
      return null;
    }
  }
}

async function isWithinAny(path: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const real = await realpath(root).catch(() => root);
    const inside = relative(real, path);
    if (inside !== '' && !inside.startsWith(`..${sep}`) && inside !== '..') return true;
  }
  return false;
}

function foldersUpFrom(folder: string): string[] {
  const folders = [folder];
  for (let above = dirname(folder); above !== folders.at(-1); above = dirname(above)) folders.push(above);
  return folders;
}

async function filesIn(folder: string, wanted: RegExp): Promise<readonly string[]> {
  return (await namesIn(folder)).filter((name) => wanted.test(name)).map((name) => join(folder, name));
}

/** `@docs/style.md`, alone or within a sentence. Mail addresses and package names do not have this form. */
function importsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|\s)@([\w./-]+\.\w+)/g)].map(([, path = '']) => path);
}

/** The text between the first two lines `---`; empty without them. */
function frontMatterOf(text: string): string {
  return /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
}

/** The lines with the name and the description; the file's name if it has neither. */
function headOf(text: string, path: string): string {
  const lines = frontMatterOf(text)
    .split('\n')
    .filter((line) => /^(?:name|description):/.test(line));
  return lines.length > 0 ? lines.join('\n') : basename(path);
}
