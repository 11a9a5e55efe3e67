import Contracts
import Yams

/// What Kubernetes runs: for each service a file with its deployment, address, limits of disruption and scale, and who
/// may ask it; and the list of all files for kustomize.
struct KubernetesFiles {
    /// Texts of the files, by path in the folder of `compose.yaml`.
    private(set) var texts: [String: String] = [:]
    private let head: Node
    /// Services that are asked from outside the cluster.
    private let open: Set<String>
    /// Services, by the service that they ask.
    private let askers: [String: [String]]

    /// Settings that `kubernetes/settings.env` gives, because they are the same for every service that has them.
    private static let store = ["URL", "REGION", "BUCKET", "KEY_ID"].map {
        "OPENVALET_BLOBS_S3_\($0)"
    }
    /// Handwritten files beside the services'.
    private static let others = ["namespace", "topics", "alpr-stub"]
    /// Services that call a provider which isn't a part of their manifest.
    private static let customers: [String: [Int]] = [
        "payments": [443], "notifications": [443, 465, 587], "plates": [443], "carparks": [443],
        "places": [443],
    ]

    init(_ containers: [ServiceContainer], _ head: Node) {
        self.head = head
        open = Set(containers.filter(\.hasHostPort).map(\.name))
        askers = containers.reduce(into: [:]) { askers, container in
            for name in container.asks { askers[name, default: []].append(container.name) }
        }
        for container in containers {
            texts["kubernetes/services/\(container.name).yaml"] = text(of: container)
        }
        texts["kustomization.yaml"] = Self.list(of: containers)
    }

    private func text(of container: ServiceContainer) -> String {
        let name = container.name
        let lag =
            container.service.isOnBus && container.service != .gateway
            ? """

                # By an adapter of Prometheus. Each gateway reads everything, so that it doesn't scale with lag.
                - type: Pods
                  pods:
                    metric: { name: openvalet_bus_lag }
                    target: { type: AverageValue, averageValue: "500" }
            """ : ""
        return """
            # Written by `make documents` from the manifest of \(name).
            \(deployment(of: container))
            ---
            apiVersion: v1
            kind: Service
            metadata: { name: \(name) }
            spec:
              selector: { app.kubernetes.io/name: \(name) }
              ports: [{ name: http, port: \(ServiceContainer.port), targetPort: http }]
            ---
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: { name: \(name) }
            spec:
              maxUnavailable: 1
              selector: { matchLabels: { app.kubernetes.io/name: \(name) } }
            ---
            apiVersion: autoscaling/v2
            kind: HorizontalPodAutoscaler
            metadata: { name: \(name) }
            spec:
              scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: \(name) }
              minReplicas: 2
              maxReplicas: 6
              metrics:
                - type: Resource
                  resource: { name: cpu, target: { type: Utilization, averageUtilization: 70 } }\(lag)
            ---
            \(policy(of: container))

            """
    }

    private func deployment(of container: ServiceContainer) -> String {
        let name = container.name
        let items =
            container.secrets.map { "{ key: \($0.name), path: \($0.file) }" }
            + (keepsPictures(container) ? ["{ key: blobs-secret, path: blobs-secret }"] : [])
        return """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: \(name)
              labels: { app.kubernetes.io/name: \(name), app.kubernetes.io/part-of: openvalet }
            spec:
              selector: { matchLabels: { app.kubernetes.io/name: \(name) } }
              strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
              template:
                metadata:
                  labels: { app.kubernetes.io/name: \(name), app.kubernetes.io/part-of: openvalet }
                  annotations:
                    prometheus.io/scrape: "true"
                    prometheus.io/port: "\(ServiceContainer.port)"
                spec:
                  automountServiceAccountToken: false
                  enableServiceLinks: false
                  # The drain, and 10 seconds for the rest.
                  terminationGracePeriodSeconds: 20
                  securityContext:
                    runAsNonRoot: true
                    runAsUser: 10001
                    runAsGroup: 10001
                    fsGroup: 10001
                    seccompProfile: { type: RuntimeDefault }
                  topologySpreadConstraints:
                    - maxSkew: 1
                      topologyKey: kubernetes.io/hostname
                      whenUnsatisfiable: ScheduleAnyway
                      labelSelector: { matchLabels: { app.kubernetes.io/name: \(name) } }
            \(containers(of: container))
                  volumes:
                    # Nothing that lasts: it is in PostgreSQL, in Redis and in the store of pictures.
                    - { name: data, emptyDir: {} }
                    - { name: temporary, emptyDir: {} }\
            \(hasMaps(container) ? Self.mapsVolume : "")
                    - name: secrets
                      secret:
                        secretName: secrets
                        defaultMode: 0440
                        items:
            \(items.map { "              - \($0)" }.joined(separator: "\n"))
            """
    }

    private static let mapsVolume = """

                # Patch it with a volume that has the folder of `openvalet map`.
                - { name: maps, emptyDir: {} }
        """

    private func containers(of container: ServiceContainer) -> String {
        return """
                  containers:
                    - name: \(container.name)
                      image: openvalet
                      args: [service, \(container.name)]
                      env:
            \(environment(of: container).map { "            - \($0)" }.joined(separator: "\n"))
                      ports: [{ name: http, containerPort: \(ServiceContainer.port) }]
                      startupProbe:
                        httpGet: { path: /health/live, port: http }
                        periodSeconds: 1
                        failureThreshold: 60
                      readinessProbe:
                        httpGet: { path: /health/ready, port: http }
                        periodSeconds: 2
                        timeoutSeconds: 3
                        failureThreshold: 1
                      livenessProbe:
                        httpGet: { path: /health/live, port: http }
                        periodSeconds: 10
                        timeoutSeconds: 3
                      resources:
                        requests: { cpu: 100m, memory: 128Mi }
                        limits: { cpu: "1", memory: 1Gi }
                      securityContext:
                        allowPrivilegeEscalation: false
                        readOnlyRootFilesystem: true
                        capabilities: { drop: [ALL] }
                      volumeMounts:
                        - { name: data, mountPath: /data }
                        - { name: temporary, mountPath: /tmp }
                        - { name: secrets, mountPath: /run/secrets, readOnly: true }\
            \(hasMaps(container) ? "\n            - { name: maps, mountPath: /maps, readOnly: true }" : "")
            """
    }

    private func hasMaps(_ container: ServiceContainer) -> Bool {
        container.service.parts.contains(.maps)
    }

    private func keepsPictures(_ container: ServiceContainer) -> Bool {
        container.service.parts.contains(.blobs)
    }

    /// All settings: those of `compose.yaml` as they are by default there, and those of the manifest.
    private func environment(of container: ServiceContainer) -> [String] {
        var values: [String: String] = [:]
        for block in ["environment"] + container.blocks {
            let mapping = (head["x-\(block)"]?["environment"] ?? head["x-\(block)"])?.mapping
            for (key, value) in mapping ?? [:] {
                if let key = key.string, let value = value.string {
                    values[key] = Self.usual(value)
                }
            }
        }
        values.merge(container.settings) { $1 }
        var referred = ["OPENVALET_KAFKA"]
        if keepsPictures(container) {
            referred += Self.store
            values["OPENVALET_BLOBS_S3_SECRET_FILE"] =
                ServiceContainer.secretsFolder + "blobs-secret"
        }
        for name in referred { values[name] = nil }
        let given = values.filter { !$0.value.isEmpty }
            .map { (name: $0.key, text: "{ name: \($0.key), value: \"\($0.value)\" }") }
        let shared = referred.map { name in
            (
                name: name,
                text:
                    "{ name: \(name), valueFrom: { configMapKeyRef: { name: settings, key: \(name) } } }"
            )
        }
        return (given + shared).sorted { $0.name < $1.name }.map(\.text)
    }

    /// The value of `${NAME:-value}`.
    private static func usual(_ text: String) -> String {
        text.wholeMatch(of: /\$\{\w+:-(.*)\}/).map { String($0.1) } ?? text
    }

    /// Only its askers and Prometheus reach it, and it reaches only what it needs.
    private func policy(of container: ServiceContainer) -> String {
        let (name, parts) = (container.name, container.service.parts)
        func pods(_ names: some Sequence<String>) -> String {
            names.sorted().map {
                "        - podSelector: { matchLabels: { app.kubernetes.io/name: \($0) } }\n"
            }.joined()
        }
        var ingress = "    - ports: [{ port: http }]"
        if !open.contains(name) {
            ingress = """
                    - from:
                \(pods(askers[name] ?? []))\
                        - namespaceSelector: {}
                          podSelector: { matchLabels: { app.kubernetes.io/name: prometheus } }
                      ports: [{ port: http }]
                """
        }
        var stub: Set<String> = []
        if container.texts("networks").contains("recogniser") { stub.insert("alpr-stub") }
        let asks = container.asks.union(stub)
        var ports = container.service.isOnBus ? [9092] : []
        if parts.contains(.database) { ports.append(5432) }
        // Redis, and its Sentinels.
        if parts.contains(.redis) { ports += [6379, 26379] }
        ports += parts.isDisjoint(with: [.blobs, .router, .geocoder]) ? [] : [443]
        ports += (Self.customers[name] ?? []).filter { !ports.contains($0) }
        var egress = ["    - ports: [{ port: 53, protocol: UDP }, { port: 53 }]"]
        // Without a port the rule would allow all.
        if !ports.isEmpty {
            egress.append(
                "    - ports: [\(ports.map { "{ port: \($0) }" }.joined(separator: ", "))]")
        }
        if !asks.isEmpty {
            egress.append("    - to:\n\(pods(asks))      ports: [{ port: http }]")
        }
        return """
            apiVersion: networking.k8s.io/v1
            kind: NetworkPolicy
            metadata: { name: \(name) }
            spec:
              podSelector: { matchLabels: { app.kubernetes.io/name: \(name) } }
              policyTypes: [Ingress, Egress]
              ingress:
            \(ingress)
              egress:
            \(egress.joined(separator: "\n"))
            """
    }

    private static func list(of containers: [ServiceContainer]) -> String {
        let files =
            others.map { "kubernetes/\($0).yaml" }
            + containers.map { "kubernetes/services/\($0.name).yaml" }
        let secrets = Set(containers.flatMap(\.secrets).map(\.name))
            .union(["kafka-admin", "kafka-topics", "recogniser-key", "blobs-secret"])
        return """
            # Written by `make documents`: kubectl apply -k compose
            apiVersion: kustomize.config.k8s.io/v1beta1
            kind: Kustomization
            namespace: openvalet
            resources:
            \(files.map { "  - \($0)" }.joined(separator: "\n"))
            # The registry and the version of your image.
            images:
              - { name: openvalet, newName: openvalet, newTag: latest }
            configMapGenerator:
              - { name: settings, envs: [kubernetes/settings.env] }
              - { name: kafka-setup, files: [kafka-setup, kafka-acls.txt] }
            secretGenerator:
              - name: secrets
                files:
            \(secrets.sorted().map { "      - secrets/\($0)" }.joined(separator: "\n"))

            """
    }
}
