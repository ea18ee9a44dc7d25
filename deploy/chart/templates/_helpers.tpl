{{/* A service's name has no dots and begins with a letter; a release's may be otherwise. */}}
{{- define "homeport.name" -}}
{{- $name := .Release.Name | replace "." "-" -}}
{{- if not (regexMatch "^[a-z]" $name) -}}
{{- $name = printf "homeport-%s" $name -}}
{{- end -}}
{{- $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "homeport.labels" -}}
{{ include "homeport.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "homeport.selector" -}}
app.kubernetes.io/name: homeport
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* The pod of `helm test` is no server: neither services nor the network policy's rules for servers mean it. */}}
{{- define "homeport.testSelector" -}}
app.kubernetes.io/name: homeport-test
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* .own says another tag or digest than the image's own, or nothing. */}}
{{- define "homeport.image" -}}
{{- $image := .root.Values.image -}}
{{- $own := .own | default dict -}}
{{- $digest := $own.digest | default (ternary "" $image.digest (not (empty $own.tag))) -}}
{{- if $digest -}}
{{ $image.repository }}@{{ $digest }}
{{- else -}}
{{ $image.repository }}:{{ $own.tag | default $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* The port of a URL. */}}
{{- define "homeport.port" -}}
{{- $url := urlParse . -}}
{{- regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- end -}}

{{- define "homeport.scheme" -}}
{{- if .Values.tls.existingSecret -}}HTTPS{{- else -}}HTTP{{- end -}}
{{- end -}}

{{/* What cannot work is refused here, with what to do instead. */}}
{{- define "homeport.check" -}}
{{- $postgres := eq .Values.store.kind "postgresql" -}}
{{- if and (not $postgres) (gt (int .Values.readOnly.replicas) 0) -}}
{{- fail "readOnly.replicas needs store.kind: postgresql. A SQLite store is a file on one volume, which one server uses: leave readOnly.replicas at 0, or move to PostgreSQL (docs/howto/postgresql.md)." -}}
{{- end -}}
{{- if and $postgres (not .Values.store.postgresql.existingSecret) -}}
{{- fail "store.postgresql.existingSecret is missing: name a secret with postgresql://user:password@host:port/database under the key store.postgresql.key." -}}
{{- end -}}
{{- if and (not $postgres) (or .Values.store.postgresql.existingSecret .Values.store.postgresql.readOnlyExistingSecret) -}}
{{- fail "store.postgresql is set, but store.kind is sqlite: set store.kind: postgresql, or leave the secret out." -}}
{{- end -}}
{{- if and $postgres (not .Values.masterKey.existingSecret) -}}
{{- fail "masterKey.existingSecret is missing: with PostgreSQL the pods have no volume that outlives them, and every server needs the same key. `homeport admin init` makes one (docs/howto/kubernetes.md)." -}}
{{- end -}}
{{- if and (not .Values.tls.existingSecret) (not .Values.tls.plainHttp) -}}
{{- fail "tls.existingSecret is missing: tokens must not travel in the clear. Name a secret of the type kubernetes.io/tls, or set tls.plainHttp: true where something in front ends TLS." -}}
{{- end -}}
{{- if and .Values.tls.clientCaExistingSecret (not .Values.tls.existingSecret) -}}
{{- fail "tls.clientCaExistingSecret needs tls.existingSecret: client certificates need TLS." -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled (not .Values.serviceMonitor.tokenExistingSecret) -}}
{{- fail "serviceMonitor.tokenExistingSecret is missing: metrics tell about the whole fleet, so they are read with a token of `homeport token create --service prometheus --access reader`." -}}
{{- end -}}
{{- range $name := keys .Values.settings -}}
{{- if has $name (list "mode" "data" "database_url" "store" "init" "admin_listen" "poll_listen" "listen_addr" "plain_http" "tls_certificate" "tls_key" "tls_client_ca" "admin_token" "admin_token_file" "poll_url" "auth_token" "crud_auth_token") -}}
{{- fail (printf "settings.%s is not for here: the chart has values of its own for addresses, store, tokens and TLS; the old shared tokens go into extraEnv from a secret." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The pod of a server; .mode is crud or read-only, .own the values of that deployment. */}}
{{- define "homeport.pod" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $crud := eq .mode "crud" -}}
{{- $postgres := eq $values.store.kind "postgresql" -}}
metadata:
  labels:
    {{- include "homeport.selector" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .mode }}
    homeport.dev/answers-polls: {{ or (not $crud) (eq (int $values.readOnly.replicas) 0) | quote }}
  {{- with .own.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "homeport.name" $root | quote }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: 40
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . | quote }}
    {{- end }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: {type: RuntimeDefault}
  {{- with .own.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .own.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .own.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "homeport.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ .mode }}
  containers:
    - name: homeport
      image: {{ include "homeport.image" (dict "root" $root "own" .own.image) | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: [serve]
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      env:
        - {name: JAVA_OPTS, value: "-XX:MaxRAMPercentage=70"}
        - {name: HOMEPORT_MODE, value: {{ .mode }}}
        - {name: HOMEPORT_DATA, value: /var/lib/homeport}
        - {name: HOMEPORT_POLL_LISTEN, value: "0.0.0.0:8081"}
        {{- if $crud }}
        - {name: HOMEPORT_ADMIN_LISTEN, value: "0.0.0.0:8080"}
        {{- if $values.store.init }}
        - {name: HOMEPORT_INIT, value: "true"}
        {{- end }}
        {{- if $values.adminToken.existingSecret }}
        - {name: HOMEPORT_ADMIN_TOKEN_FILE, value: {{ printf "/etc/homeport/admin/%s" $values.adminToken.key | quote }}}
        {{- end }}
        {{- end }}
        {{- if $postgres }}
        - name: HOMEPORT_DATABASE_URL
          valueFrom:
            secretKeyRef:
              name: {{ ternary $values.store.postgresql.existingSecret ($values.store.postgresql.readOnlyExistingSecret | default $values.store.postgresql.existingSecret) $crud | quote }}
              key: {{ $values.store.postgresql.key | quote }}
        {{- end }}
        {{- if $values.tls.existingSecret }}
        - {name: HOMEPORT_TLS_CERTIFICATE, value: /etc/homeport/tls/tls.crt}
        - {name: HOMEPORT_TLS_KEY, value: /etc/homeport/tls/tls.key}
        {{- else }}
        - {name: HOMEPORT_PLAIN_HTTP, value: "true"}
        {{- end }}
        {{- if $values.tls.clientCaExistingSecret }}
        - {name: HOMEPORT_TLS_CLIENT_CA, value: /etc/homeport/client-ca/ca.crt}
        {{- end }}
        {{- if $values.pollUrl }}
        - {name: HOMEPORT_POLL_URL, value: {{ $values.pollUrl | quote }}}
        {{- end }}
        {{- range $name, $value := $values.settings }}
        - {name: HOMEPORT_{{ upper $name }}, value: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }}}
        {{- end }}
        {{- with $values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        {{- if $crud }}
        - {name: admin, containerPort: 8080}
        {{- end }}
        - {name: poll, containerPort: 8081}
      # Loading a large store takes a while; nothing is answered from part of it.
      startupProbe:
        httpGet: {path: /livez, port: poll, scheme: {{ include "homeport.scheme" $root }}}
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet: {path: /livez, port: poll, scheme: {{ include "homeport.scheme" $root }}}
        periodSeconds: 10
        failureThreshold: 6
        timeoutSeconds: 5
      readinessProbe:
        httpGet: {path: /readyz, port: poll, scheme: {{ include "homeport.scheme" $root }}}
        periodSeconds: 5
        failureThreshold: 2
        timeoutSeconds: 3
      {{- if not $crud }}
      # Endpoints are removed while the pod still answers polls.
      lifecycle: {preStop: {exec: {command: [/bin/sleep, "5"]}}}
      {{- end }}
      resources:
        {{- toYaml .own.resources | nindent 8 }}
      volumeMounts:
        - {name: data, mountPath: /var/lib/homeport}
        - {name: tmp, mountPath: /tmp}
        {{- if $values.masterKey.existingSecret }}
        - {name: master-key, mountPath: /var/lib/homeport/master.key, subPath: master.key, readOnly: true}
        {{- end }}
        {{- if and $crud $values.adminToken.existingSecret }}
        - {name: admin-token, mountPath: /etc/homeport/admin, readOnly: true}
        {{- end }}
        {{- if $values.tls.existingSecret }}
        - {name: tls, mountPath: /etc/homeport/tls, readOnly: true}
        {{- end }}
        {{- if $values.tls.clientCaExistingSecret }}
        - {name: client-ca, mountPath: /etc/homeport/client-ca, readOnly: true}
        {{- end }}
        {{- with $values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: data
      {{- if $postgres }}
      emptyDir: {}
      {{- else }}
      persistentVolumeClaim:
        claimName: {{ $values.store.sqlite.existingClaim | default (printf "%s-data" (include "homeport.name" $root)) | quote }}
      {{- end }}
    - name: tmp
      emptyDir: {}
    {{- if $values.masterKey.existingSecret }}
    - name: master-key
      secret:
        secretName: {{ $values.masterKey.existingSecret | quote }}
        defaultMode: 0440
        items: [{key: {{ $values.masterKey.key | quote }}, path: master.key}]
    {{- end }}
    {{- if and $crud $values.adminToken.existingSecret }}
    - name: admin-token
      secret:
        secretName: {{ $values.adminToken.existingSecret | quote }}
        defaultMode: 0440
    {{- end }}
    {{- if $values.tls.existingSecret }}
    - name: tls
      secret:
        secretName: {{ $values.tls.existingSecret | quote }}
        defaultMode: 0440
    {{- end }}
    {{- if $values.tls.clientCaExistingSecret }}
    - name: client-ca
      secret:
        secretName: {{ $values.tls.clientCaExistingSecret | quote }}
        defaultMode: 0440
    {{- end }}
    {{- with $values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
