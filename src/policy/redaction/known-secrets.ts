/** Beginnings of tokens, as their makers and the public rules of gitleaks name them. Letters and digits follow. */
export const TOKEN_STARTS: readonly string[] = [
  // Code, packages and builds
  ...['gho_', 'ghp_', 'ghr_', 'ghs_', 'ghu_', 'github_pat_', 'hf_', 'npm_', 'gto_', 'dckr_pat_', 'dckr_oat_'],
  ...['rubygems_', 'CLOJARS_', 'CCIPAT_', 'bkua_', 'sntrys_', 'sntryu_', 'nfp_', 'vcp_', 'e2b_', 'pnu_', 'ico-'],
  ...['glffct-', 'GR1348941', 'sgp_', 'sgp_local_', 'sqp_', 'squ_', 'sqa_', 'p8e-', 'cmVmd', 'rnd_', 'apify_api_'],
  ...['glpat-', 'glrt-', 'gldt-', 'glcbt-', 'glptt-', 'glsoat-', 'glimt-', 'glft-', 'glagent-', 'gloas-'],
  ...['pypi-', 'pul-', 'ATATT3x', 'ATCTT3x', 'ATBB', 'AKCp', 'API-', 'rdme_'],
  // Clouds, databases and networks
  ...['dop_v1_', 'doo_v1_', 'dor_v1_', 'HRKU-', 'hvs.', 'hvb.', 'hvr.', 'hcp_', 'pscale_tkn_', 'pscale_pw_', 'sbp_'],
  ...['pscale_oauth_', 'tskey-', 'dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'fm2_', 'AKID', 'AQVN', 'dapi'],
  'LTAI',
  'ABSK',
  'bedrock-api-key-',
  'IQoJb3JpZ2luX2VjE',
  'dp.scim.',
  'dp.audit.',
  'fo1_',
  'fm1a_',
  'fm1r_',
  'napi_',
  ...['sb_secret_', 'GOCSPX-', 'ya29.', 'sha256~', 'tk-us-', 'v1.0-', 'atlasv1.', 'AGE-SECRET-KEY-1'],
  // Observation
  'NRAK-',
  'NRJS-',
  'NRII-',
  'NRIQ-',
  'dt0s16.',
  'glsa_',
  'glc_',
  'dt0c01.',
  'phx_',
  'phc_',
  'lsv2_pt_',
  'lsv2_sk_',
  // Models
  ...['jina_', 'tgp_v1_', 'gsk_', 'xai-', 'pplx-', 'r8_', 'nvapi-', 'csk-', 'tvly-'],
  // Messages, payments and offices
  ...['xapp-', 'SG.', 'xkeysib-', 'xsmtpsib-', 'whsec_', 'shpat_', 'shpca_', 'shppa_', 'shpss_', 'sq0atp-', 'sq0csp-'],
  'EAAA',
  'EAAC',
  'EAAM',
  'FLWSECK-',
  'FLWSECK_TEST-',
  'shippo_live_',
  'shippo_test_',
  'pdl_live_apikey_',
  'bb_live_',
  'pdl_sdbx_apikey_',
  'EZAK',
  'EZTK',
  'duffel_live_',
  'duffel_test_',
  'lin_api_',
  'lin_oauth_',
  'ntn_',
  'figd_',
  'PMAK-',
  'tfp_',
  ...['CFPAT-', 'aio_', 'ops_eyJ', 's-s4t2ud-', 's-s4t2af-', 'fio-u-'],
];

/** Tokens of a fixed form: their beginning, which is no expression, and the expression of the rest. */
const TOKEN_FORMS: readonly (readonly [start: string, rest: string])[] = [
  // Packages, code and builds
  ['hf_', String.raw`[A-Za-z]{34}\b`],
  ['api_org_', String.raw`[A-Za-z]{34}\b`],
  ['cio', String.raw`(?=[A-Za-z]{0,31}\d)[A-Za-z\d]{32}\b`],
  ['oy2', String.raw`[a-z\d]{43}\b`],
  ['sgp_', String.raw`[\da-f]{16}_[\da-f]{40}\b`],
  ['_authToken=', String.raw`[\w-]{20,}`],
  ['v1.', String.raw`[\da-f]{40}\b`],
  ['_gitlab_session=', String.raw`[\da-f]{32}`],
  ...['pat.', 'sat.'].map((start) => [start, String.raw`[\w-]{22}\.[A-Za-z\d]{24}\.[A-Za-z\d]{20}`] as const),
  ...['sc_', 'ext_', 'scauth_', 'authress_'].map(
    (start) => [start, String.raw`[a-z\d]{5,30}\.[a-z\d]{4,6}\.acc[_-][\w.+/=-]{20,}`] as const,
  ),
  ...['sm_aat_', 'sm_pat_', 'sm_sat_'].map((start) => [start, String.raw`[A-Za-z\d]{16}\b`] as const),
  // Clouds and stores
  ['A3T', String.raw`[A-Z\d][A-Z2-7]{16}\b`],
  ['ABIA', String.raw`[A-Z2-7]{16}\b`],
  ['ACCA', String.raw`[A-Z2-7]{16}\b`],
  ['4b1d', String.raw`[A-Za-z\d]{38}\b`],
  ['s.', String.raw`(?=[A-Za-z]{0,23}\d)(?=[a-z\d]{0,23}[A-Z])[A-Za-z\d]{24}\b`],
  ['A3-', String.raw`[A-Z\d]{6}-(?:[A-Z\d]{11}|[A-Z\d]{6}-[A-Z\d]{5})(?:-[A-Z\d]{5}){3}\b`],
  ['eyJrIjoi', String.raw`[A-Za-z\d]{40,}`],
  // A private key in Base64, as Kubernetes has it
  [
    'LS0tLS1CRUdJTi',
    String.raw`(?:BQUklWQVRF|BSU0EgUFJJVkFUR|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVEU|BFTkNSWVBURUQg)[\w+/=]*`,
  ],
  // Models, messages and payments
  ['key_', String.raw`[\da-f]{64}\b`],
  ['pa-', String.raw`(?=[\w-]{0,42}\d)[\w-]{40,}`],
  ['fc-', String.raw`[\da-f]{32}\b`],
  ['BSA', String.raw`(?=[A-Za-z_-]{0,26}\d)[\w-]{27,28}\b`],
  ['SK', String.raw`[\da-f]{32}\b`],
  ['key-', String.raw`[\da-f]{32}\b`],
  ['pat', String.raw`\w{14}\.[\da-f]{64}\b`],
  ['re_', String.raw`[A-Za-z\d]{8}_(?=[A-Za-z]{0,23}\d)[A-Za-z\d]{20,}`],
  ['sk.eyJ', String.raw`[\w-]{20,}\.[\w-]{10,}`],
  ['secret_', String.raw`(?=[A-Za-z]{0,42}\d)[A-Za-z\d]{43}\b`],
  ...['sk_prod_', 'rk_prod_', 'sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'].map(
    (start) => [start, String.raw`(?=[A-Za-z]{0,9}\d)[A-Za-z\d]{10,}`] as const,
  ),
  ...['access-sandbox-', 'access-development-', 'access-production-'].map(
    (start) => [start, String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`] as const,
  ),
  ...['access_token$production$', 'access_token$sandbox$'].map(
    (start) => [start, String.raw`[\da-z]{16}\$[\da-f]{32}`] as const,
  ),
];

function escaped(start: string): string {
  return start.replaceAll(/[.$|/]/g, String.raw`\$&`);
}

/** Other forms of secrets. The text in the first group stays. */
export const SECRET_SHAPES: readonly RegExp[] = [
  ...TOKEN_FORMS.map(([start, rest]) => new RegExp(`()\\b${escaped(start)}${rest}`, 'g')),
  /(\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{20,}/g,
  /(\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/)[\w-]{30,}/g,
  /(\bhooks\.zapier\.com\/hooks\/catch\/)[\w/]{8,}/g,
  /(\bwebhook\.office\.com\/webhookb2\/)[\w@/-]{60,}/g,
  // Telegram
  /(:)AA(?=[\w-]{0,80}\d)[\w-]{32,}/g,
  // A shared access signature of Azure
  /([?&]sig=)[\w%+/=-]{40,}/g,
];

/** The beginnings of secrets with such a form. */
export const SECRET_SHAPE_STARTS: readonly string[] = [
  ...TOKEN_FORMS.map(([start]) => start),
  ...['hooks.slack.com/', 'discord.com/', 'discordapp.com/', 'hooks.zapier.com/', 'webhook.office.com/'],
];

/** The ends of texts in which one of these forms may have begun. */
export const SECRET_SHAPES_BEGUN = String.raw`\b(?:${SECRET_SHAPE_STARTS.map(escaped).join('|')})[\w.+/=$@-]*|:(?:A[\w-]*)?|[?&](?:s|si|sig|sig=[\w%+/=-]*)?`;

/** Names, in any case, whose value is a secret if it looks like one. */
export const SECRET_LABELS: readonly string[] = [
  ...['authorization', 'x-api-key', 'api-key', 'x-auth-token', 'private-token', 'x-goog-api-key', 'x-vault-token'],
  ...['_authtoken', '_auth', '_password', 'accountkey', 'sharedaccesskey', 'sharedaccesssignature', 'client-key-data'],
  ...['aws_secret_access_key', 'aws_session_token', 'secretaccesskey', 'sessiontoken', 'client_secret', 'clientsecret'],
  ...['api_key', 'apikey', 'api_token', 'access_token', 'accesstoken', 'refresh_token', 'auth_token', 'authtoken'],
  ...['secret_key', 'secretkey', 'access_key', 'accesskey', 'secret', 'token', 'password', 'passwd', 'auth'],
];
