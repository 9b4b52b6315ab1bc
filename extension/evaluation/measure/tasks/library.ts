import apiDocumentationRewrite from './library/api-documentation-rewrite.json';
import billingDatabaseMigration from './library/billing-database-migration.json';
import checkoutIncident from './library/checkout-incident.json';
import churnAnalysis from './library/churn-analysis.json';
import conferencePlanning from './library/conference-planning.json';
import edgeInferenceTuning from './library/edge-inference-tuning.json';
import flakyTestHunt from './library/flaky-test-hunt.json';
import mobileOfflineSync from './library/mobile-offline-sync.json';
import paymentProviderComparison from './library/payment-provider-comparison.json';
import queueRecommendation from './library/queue-recommendation.json';
import rateLimiterDesign from './library/rate-limiter-design.json';
import searchLatencyRefactor from './library/search-latency-refactor.json';
import securityAuditFixes from './library/security-audit-fixes.json';
import typescriptMonorepoUpgrade from './library/typescript-monorepo-upgrade.json';
import { readTask } from './read-task';
import type { Task } from './task';

/** The tasks that come with Strata, by name. Validated like any other task. */
export function libraryTasks(): Task[] {
  return Object.entries(files).map(([file, value]) => readTask(file, value));
}

const files: Readonly<Record<string, unknown>> = {
  'api-documentation-rewrite.json': apiDocumentationRewrite,
  'billing-database-migration.json': billingDatabaseMigration,
  'checkout-incident.json': checkoutIncident,
  'churn-analysis.json': churnAnalysis,
  'conference-planning.json': conferencePlanning,
  'edge-inference-tuning.json': edgeInferenceTuning,
  'flaky-test-hunt.json': flakyTestHunt,
  'mobile-offline-sync.json': mobileOfflineSync,
  'payment-provider-comparison.json': paymentProviderComparison,
  'queue-recommendation.json': queueRecommendation,
  'rate-limiter-design.json': rateLimiterDesign,
  'search-latency-refactor.json': searchLatencyRefactor,
  'security-audit-fixes.json': securityAuditFixes,
  'typescript-monorepo-upgrade.json': typescriptMonorepoUpgrade,
};
