import type { MetricId } from '../../../extension/evaluation/measure/metrics';
import type { EvaluationReport, ReportFilter } from '../../../extension/evaluation/measure/report';
import type { TaskKind } from '../../../extension/evaluation/measure/tasks/task';
import type { EvaluationState, EvaluationView, ReplayView } from '../../../extension/protocol/evaluation';
import { type Loadable, load, loading, messageOf } from '../shared/loadable';
import { type ContenderView, contenderViews, usuallyShown } from './contenders';
import { Details } from './details.svelte';
import { Cells } from './plot';
import { type Chosen, driftChances, driftEvents, pointsOfMark } from './points';
import type { EvaluationActions, EvaluationSource } from './source';
import { nextTableSort, type Opponent, type TableSort } from './table';

/** Filters of a report: one of each, or all. */
interface Narrowing {
  readonly kind: TaskKind | null;
  readonly task: string | null;
  readonly seed: number | null;
  readonly compaction: number | null;
}

const everything: Narrowing = { kind: null, task: null, seed: null, compaction: null };

/** State of the drift dashboard: the results, the filters and the selection. */
export class Evaluation {
  readonly details: Details;
  shown = $state.raw<Loadable<EvaluationView> | null>(null);
  isReading = $state(false);
  running = $state.raw<EvaluationState['running']>(null);
  /** Why the last action failed. */
  failure = $state<string | null>(null);
  narrowing = $state.raw<Narrowing>(everything);
  metric = $state<MetricId>('goal-survival');
  /** The chosen contenders; null: the usual ones. */
  #picked = $state.raw<ReadonlySet<string> | null>(null);
  /** Under the pointer or focused. */
  pointed = $state<string | null>(null);
  chosen = $state.raw<Chosen | null>(null);
  sort = $state.raw<TableSort | null>(null);
  opponent = $state<Opponent>('baseline');
  #part = $state<'tasks' | 'sessions' | null>(null);
  #revision = 0;
  /** Number of the newest request; answers to older ones are dropped. */
  #question = 0;

  readonly acts: EvaluationActions | null;

  constructor(private readonly source: EvaluationSource) {
    this.acts = source.acts;
    this.details = new Details(source);
  }

  readonly view: EvaluationView | null = $derived(this.shown?.kind === 'ready' ? this.shown.value : null);
  readonly report: EvaluationReport | null = $derived(this.view?.report ?? null);
  readonly replay: ReplayView | null = $derived(this.view?.replay ?? null);
  /** The one of the two that is shown if both exist. */
  readonly part: 'tasks' | 'sessions' = $derived(
    this.report && this.replay ? (this.#part ?? 'tasks') : this.replay ? 'sessions' : 'tasks',
  );
  readonly cells: Cells | null = $derived(this.report && new Cells(this.report));
  readonly contenders: readonly ContenderView[] = $derived(contenderViews(this.report?.contenders ?? []));
  readonly shownKeys: ReadonlySet<string> = $derived(this.#picked ?? usuallyShown(this.contenders));
  readonly shownContenders = $derived(this.contenders.filter(({ key }) => this.shownKeys.has(key)));
  readonly compactions: readonly number[] = $derived(
    (this.report?.compactions ?? []).filter(
      (compaction) => this.narrowing.compaction === null || compaction === this.narrowing.compaction,
    ),
  );
  readonly chosenPoints = $derived(
    this.report && this.chosen ? pointsOfMark(this.report, this.chosen, this.metric) : [],
  );
  readonly driftEvents = $derived(this.report ? driftEvents(this.report, this.shownKeys) : []);
  readonly driftChances = $derived(this.report ? driftChances(this.report, this.shownKeys) : 0);
  readonly isNarrowed = $derived(Object.values(this.narrowing).some((value) => value !== null));

  /** Call when the dashboard becomes visible. Results that were read before are valid until `update`. */
  start = (): void => {
    if (this.shown === null) void this.read();
  };

  /** The host reports the progress of a run and changes of the results. */
  update = ({ revision, running }: EvaluationState): void => {
    this.running = running;
    if (revision === this.#revision) return;
    this.#revision = revision;
    if (this.shown !== null) void this.read();
  };

  read = async (): Promise<void> => {
    this.#question += 1;
    const question = this.#question;
    this.isReading = true;
    if (this.shown?.kind !== 'ready') this.shown = loading;
    const answer = await load(this.source.read(filterOf(this.narrowing)));
    if (question !== this.#question) return;
    this.isReading = false;
    this.shown = answer;
  };

  narrow = (change: Partial<Narrowing>): void => {
    this.narrowing = { ...this.narrowing, ...change };
    void this.read();
  };

  widen = (): void => this.narrow(everything);

  show = (part: 'tasks' | 'sessions'): void => {
    this.#part = part;
  };

  setShown = (keys: Iterable<string>): void => {
    this.#picked = new Set(keys);
    if (this.chosen && !this.#picked.has(this.chosen.contender)) this.chosen = null;
  };

  showUsual = (): void => this.setShown(usuallyShown(this.contenders));

  toggleShown = (key: string): void => {
    const keys = new Set(this.shownKeys);
    if (!keys.delete(key)) keys.add(key);
    this.setShown(keys);
  };

  /** A second click clears the selection. */
  choose = (chosen: Chosen): void => {
    const { contender, compaction } = this.chosen ?? {};
    const isSame = contender === chosen.contender && compaction === chosen.compaction;
    this.chosen = isSame ? null : chosen;
  };

  point = (contender: string | null): void => {
    this.pointed = contender;
  };

  sortBy = (column: TableSort['column']): void => {
    this.sort = nextTableSort(this.sort, column);
  };

  /** A failure is shown in the dashboard. */
  act = async (work: (acts: EvaluationActions) => Promise<unknown>): Promise<void> => {
    if (!this.acts) return;
    this.failure = null;
    try {
      await work(this.acts);
    } catch (error) {
      this.failure = messageOf(error);
    }
  };
}

function filterOf({ kind, task, seed, compaction }: Narrowing): ReportFilter {
  return {
    ...(kind === null ? {} : { kinds: [kind] }),
    ...(task === null ? {} : { tasks: [task] }),
    ...(seed === null ? {} : { seeds: [seed] }),
    ...(compaction === null ? {} : { compactions: [compaction] }),
  };
}
