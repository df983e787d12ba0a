/** Beginnings of tokens, as their makers and the public rules of gitleaks name them. Letters and digits follow. */
export const TOKEN_STARTS: readonly string[] = [
  // Code, packages and builds
  ...['gho_', 'ghp_', 'ghr_', 'ghs_', 'ghu_', 'github_pat_', 'hf_', 'npm_', 'gto_', 'dckr_pat_', 'dckr_oat_'],
  ...['rubygems_', 'CLOJARS_', 'CCIPAT_', 'bkua_', 'sntrys_', 'sntryu_', 'nfp_', 'vcp_', 'e2b_', 'pnu_', 'ico-'],
  ...['glpat-', 'glrt-', 'gldt-', 'glcbt-', 'glptt-', 'glsoat-', 'glimt-', 'glft-', 'glagent-', 'gloas-'],
  ...['pypi-', 'pul-', 'ATATT3x', 'ATCTT3x', 'ATBB', 'AKCp', 'cmVmdGtu', 'API-', 'rdme_'],
  // Clouds, databases and networks
  ...['dop_v1_', 'doo_v1_', 'dor_v1_', 'HRKU-', 'hvs.', 'hvb.', 'hvr.', 'hcp_', 'pscale_tkn_', 'pscale_pw_', 'sbp_'],
  ...['pscale_oauth_', 'tskey-', 'dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'fm2_', 'LTAI5t', 'AKID', 'AQVN', 'dapi'],
  ...['GOCSPX-', 'ya29.', 'sha256~', 'tk-us-', 'v1.0-', 'atlasv1.', 'AGE-SECRET-KEY-1'],
  // Observation
  ...['NRAK-', 'NRJS-', 'glsa_', 'glc_', 'dt0c01.', 'phx_', 'phc_', 'lsv2_pt_', 'lsv2_sk_'],
  // Models
  ...['gsk_', 'xai-', 'pplx-', 'r8_', 'nvapi-', 'csk-', 'tvly-'],
  // Messages, payments and offices
  ...['xapp-', 'SG.', 'xkeysib-', 'xsmtpsib-', 'whsec_', 'shpat_', 'shpca_', 'shppa_', 'shpss_', 'sq0atp-', 'sq0csp-'],
  ...['EZAK', 'EZTK', 'duffel_live_', 'duffel_test_', 'lin_api_', 'lin_oauth_', 'ntn_', 'figd_', 'PMAK-', 'tfp_'],
  ...['CFPAT-', 'aio_', 'ops_eyJ', 's-s4t2ud-', 'fio-u-'],
];

/** Other forms of secrets. The text in the first group stays. */
export const SECRET_SHAPES: readonly RegExp[] = [
  /(\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{20,}/g,
  /(\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/)[\w-]{30,}/g,
  // Telegram, Twilio, Mailgun, Airtable
  /(:)AA(?=[\w-]{0,80}\d)[\w-]{32,}/g,
  /()\bSK[0-9a-f]{32}\b/g,
  /()\bkey-[0-9a-f]{32}\b/g,
  /()\bpat\w{14}\.[0-9a-f]{64}\b/g,
  // A private key in Base64, as Kubernetes has it
  /()\bLS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgUFJJVkFUR|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVEU|BFTkNSWVBURUQg)[\w+/=]*/g,
];

/** The ends of texts in which one of these forms may have begun. */
export const SECRET_SHAPES_BEGUN = String.raw`\b(?:hooks\.slack\.com|discord(?:app)?\.com)\/[\w/-]*|:(?:A[\w-]*)?|\b(?:SK[0-9a-f]*|key-[0-9a-f]*|pat[\w.]*|LS0tL[\w+/=]*)`;

/** Names, in any case, whose value is a secret if it looks like one. */
export const SECRET_LABELS: readonly string[] = [
  ...['authorization', 'x-api-key', 'api-key', 'x-auth-token', 'private-token', 'x-goog-api-key', 'x-vault-token'],
  ...['_authtoken', '_auth', '_password', 'accountkey', 'sharedaccesskey', 'sharedaccesssignature', 'client-key-data'],
  ...['aws_secret_access_key', 'aws_session_token', 'secretaccesskey', 'sessiontoken', 'client_secret', 'clientsecret'],
  ...['api_key', 'apikey', 'api_token', 'access_token', 'accesstoken', 'refresh_token', 'auth_token', 'authtoken'],
  ...['secret_key', 'secretkey', 'access_key', 'accesskey', 'secret', 'token', 'password', 'passwd', 'auth'],
];
