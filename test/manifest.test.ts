import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storeKinds } from '../extension/conversations/stores/places/store-kinds';
import { defaultStrategy, parameterOwners, strategyChoices } from '../extension/engine/run/prepare/registry';
import { haloDefaults } from '../extension/engine/strategies/halo-parameters';
import {
  commandIds,
  evaluateCommandId,
  gatewayCommandId,
  installEncoderCommandId,
  rowCommandId,
  storeCommandIds,
  treeCommandIds,
  treeViewId,
} from '../extension/host/command-ids';
import { rowActions } from '../extension/protocol/messages';
import { contents } from '../scripts/packages/contents';

/** Tests that package.json matches the code. */

interface Setting {
  readonly scope?: string;
  readonly default: unknown;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly order: number;
  /** By the name of the strategy. */
  readonly properties?: Readonly<
    Record<string, { readonly properties: Readonly<Record<string, { readonly default: unknown }>> }>
  >;
}

interface Section {
  readonly title: string;
  readonly properties: Readonly<Record<string, Setting>>;
}

interface Command {
  readonly command: string;
  readonly title: string;
  readonly icon?: string;
}

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Step {
  readonly id: string;
  readonly description: string;
  readonly media: { readonly svg: string };
  readonly completionEvents: readonly string[];
}

const root = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const manifest = JSON.parse(read('package.json'));
const { contributes, engines, devDependencies } = manifest;
const words: Readonly<Record<string, string>> = JSON.parse(read('package.nls.json'));
const sections: readonly Section[] = contributes.configuration;
const properties = Object.fromEntries(sections.flatMap((section) => Object.entries(section.properties)));
const commands: readonly Command[] = contributes.commands;
const commandNames = commands.map(({ command }) => command);
const menus: Readonly<Record<string, readonly MenuItem[]>> = contributes.menus;
const steps: readonly Step[] = contributes.walkthroughs[0].steps;

/** Whether strategies share this parameter with its default, so that one setting serves all of them. */
function isShared(name: string, standard: unknown): boolean {
  return Object.entries(haloDefaults).some(([shared, value]) => shared === name && value === standard);
}

/** Every text in a value, with the name of the field that contains it. */
function textsOf(value: unknown, field = ''): readonly (readonly [field: string, text: string])[] {
  if (typeof value === 'string') return [[field, value]];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, field));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsOf(item, name));
}

const keyPattern = /^%(.+)%$/;
const keysOf = (value: unknown) => textsOf(value).flatMap(([, text]) => text.match(keyPattern)?.[1] ?? []);

describe('package.json', () => {
  it('offers every strategy there is, and the right one by default', () => {
    const setting = properties['strata.compaction.strategy'];
    expect(setting?.enum).toEqual(strategyChoices().map((choice) => choice.name));
    expect(setting?.default).toBe(defaultStrategy);
  });

  it('has a place in its settings for every parameter of every strategy, with its default', () => {
    const parameters = parameterOwners().flatMap(({ name: owner, defaults }) =>
      Object.entries(defaults).map(([name, standard]) => ({ owner, name, standard })),
    );
    const place = ({ owner, name, standard }: (typeof parameters)[number]) =>
      owner === defaultStrategy || isShared(name, standard) ? `compaction.${name}` : `strategies.${owner}.${name}`;
    const expected = new Map(parameters.map((parameter) => [place(parameter), parameter.standard]));
    expected.delete('strategies.hierarchical.summary_detail_levels');

    const strategies = Object.entries(properties['strata.strategies']?.properties ?? {});
    const described = strategies.flatMap(([owner, { properties: members }]) =>
      Object.entries(members).map(([name, member]): [string, unknown] => [
        `strategies.${owner}.${name}`,
        member.default,
      ]),
    );
    const shared = [...expected.keys()].filter((name) => name.startsWith('compaction.'));
    const settings = shared.map((name): [string, unknown] => [name, properties[`strata.${name}`]?.default]);
    expect(new Map([...settings, ...described])).toEqual(expected);
  });

  it('lets no untrusted folder decide what is read, compacted or sent', () => {
    const harmless = ['strata.rescue.notify'];
    const open = Object.entries(properties).filter(([, { scope }]) => scope !== 'machine');
    const restricted = open.map(([name]) => name).filter((name) => !harmless.includes(name));
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(restricted);
    expect(properties['strata.sessions.folders']?.scope).toBe('machine');
  });

  it('contributes exactly the commands that are registered', () => {
    const registered: string[] = [
      ...[commandIds, treeCommandIds, storeCommandIds].flatMap((table): string[] => Object.values(table)),
      ...[evaluateCommandId, gatewayCommandId, installEncoderCommandId],
      ...rowActions.map(rowCommandId),
    ];
    expect([...commandNames].sort()).toEqual(registered.sort());
  });

  it('names the stores that the editor can open', () => {
    const shared = Object.values(storeKinds).filter(({ isAlone }) => !isAlone);
    const places = shared.flatMap(({ address }) => address ?? []).join(', ');
    expect(words['setting.stores.address.description']).toContain(`${places} or a folder`);
  });

  it('compiles against the oldest editor that it runs in', () => {
    expect(devDependencies['@types/vscode'].replace(/^\D/, '')).toBe(engines.vscode.replace(/^\D/, ''));
  });

  it('names the view of the sessions as the code does', () => {
    expect(contributes.views.strata.map(({ id }: { id: string }) => id)).toContain(treeViewId);
    expect(contributes.viewsWelcome[0].view).toBe(treeViewId);
  });
});

describe('the words of package.json', () => {
  it('are all there, and none is left over', () => {
    expect(new Set(keysOf(manifest))).toEqual(new Set(Object.keys(words)));
    expect(Object.entries(words).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('are translated wherever a person sees them', () => {
    const seen = /^(title|category|name|displayName|fullName|description|markdownDescription|enumDescriptions)$/;
    const more = /^(contents|altText|contextualTitle|userDescription)$/;
    // Left out are names of the program, and texts that only models read.
    const { languageModelTools, languageModelChatProviders, chatParticipants, ...rest } = contributes;
    const shownOfTools = languageModelTools.map(
      ({ displayName, userDescription }: { displayName: string; userDescription: string }) => ({
        displayName,
        userDescription,
      }),
    );
    const plain = textsOf([
      rest,
      shownOfTools,
      { displayName: manifest.displayName, description: manifest.description },
    ])
      .filter(([field]) => seen.test(field) || more.test(field))
      .filter(([, text]) => !keyPattern.test(text));
    expect(plain).toEqual([]);
  });

  it('lead to settings and commands that there are', () => {
    const settings = Object.values(words).flatMap((text) => [...text.matchAll(/#(strata\.[\w.-]+)#/g)]);
    expect(settings.length).toBeGreaterThan(0);
    expect(settings.map(([, name]) => name ?? '').filter((name) => !(name in properties))).toEqual([]);
    const linked = Object.values(words).flatMap((text) => [...text.matchAll(/\(command:(strata\.[\w.]+)/g)]);
    expect(linked.length).toBeGreaterThan(0);
    expect(linked.map(([, name]) => name ?? '').filter((name) => !commandNames.includes(name))).toEqual([]);
  });
});

describe('the menus', () => {
  const items = Object.values(menus).flat();

  it('hold commands that there are, each with an icon', () => {
    const withIcon = new Set(commands.filter(({ icon }) => icon !== undefined).map(({ command }) => command));
    expect(items.map(({ command }) => command).filter((command) => !withIcon.has(command))).toEqual([]);
  });

  it('keep the title of each view to three icons at once, and the rest in groups', () => {
    const iconsOf = (view: string) =>
      (menus['view/title'] ?? []).filter(
        ({ when, group }) => when?.startsWith(`view == ${view}`) && group?.startsWith('navigation'),
      );
    expect(iconsOf('strata.inspector')).toHaveLength(3);
    expect(iconsOf('strata.sessions')).toHaveLength(2);
    expect(items.filter(({ group, when }) => group === undefined && when === undefined)).toEqual([]);
  });

  it('give no two commands one place at a time', () => {
    for (const [menu, entries] of Object.entries(menus)) {
      const places = entries.filter(({ group }) => group).map(({ group, when }) => `${menu} ${group} ${when}`);
      expect(new Set(places).size).toBe(places.length);
    }
  });

  it('offer every action of a row in its context menu, and none of them in the palette', () => {
    const rowCommands = rowActions.map(rowCommandId).sort();
    expect((menus['webview/context'] ?? []).map(({ command }) => command).sort()).toEqual(rowCommands);
    const hidden = (menus.commandPalette ?? []).filter(({ when }) => when === 'false');
    expect(hidden.map(({ command }) => command)).toEqual(expect.arrayContaining(rowCommands));
  });

  it('ask only for rows of the inspector', () => {
    for (const { when } of menus['webview/context'] ?? []) {
      expect(when).toContain("webviewSection == 'row' && webviewId =~ /^strata\\.inspector(Editor)?$/");
    }
  });
});

describe('the settings', () => {
  it('are in titled sections, in an order of their own, each with a description', () => {
    for (const section of sections) {
      expect(section.title).toMatch(keyPattern);
      const all = Object.values(section.properties);
      expect(all.map(({ order }) => order)).toEqual(all.map((_, index) => index + 1));
      expect(all.filter((setting) => !(setting.description ?? setting.markdownDescription))).toEqual([]);
    }
  });

  it('describe each of their choices', () => {
    for (const { enum: choices, enumDescriptions } of Object.values(properties)) {
      expect(enumDescriptions?.length).toBe(choices?.length);
    }
  });
});

describe('the walkthrough', () => {
  it('has four or five steps, each with a picture in the colours of the theme', () => {
    expect(steps.length).toBeGreaterThanOrEqual(4);
    expect(steps.length).toBeLessThanOrEqual(5);
    for (const { media } of steps) {
      const picture = read(media.svg);
      // Icons use colours of the theme or none, because a fixed colour would be wrong in half of the themes.
      const paints = [...picture.matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, paint]) => paint ?? '');
      expect(paints.filter((paint) => !/^(none|var\(--vscode-)/.test(paint))).toEqual([]);
    }
  });

  it('is done by commands, settings and keys that there are', () => {
    const keys = read('extension/host/when-contexts.ts');
    for (const [kind, name] of steps.flatMap((step) => step.completionEvents.map((event) => event.split(':')))) {
      if (!name?.startsWith('strata.')) continue;
      if (kind === 'onCommand') expect(commandNames).toContain(name);
      else if (kind === 'onSettingChanged') expect(properties).toHaveProperty([name]);
      else expect(keys).toContain(`'${name.replace('strata.', '')}'`);
    }
  });

  it('opens by its command', () => {
    expect(read('extension/host/commands.ts')).toContain(`'${contributes.walkthroughs[0].id}'`);
  });

  it('ships with what it shows', () => {
    expect(contents.extension.files).toEqual(expect.arrayContaining(['media', 'package.nls.json']));
    expect(steps.map(({ media }) => existsSync(join(root, media.svg)))).not.toContain(false);
  });
});
