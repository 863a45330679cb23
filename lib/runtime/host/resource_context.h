// ResourceContext: named resources of any type that outlive single runs.
#ifndef TFRT_LIB_RUNTIME_HOST_RESOURCE_CONTEXT_H_
#define TFRT_LIB_RUNTIME_HOST_RESOURCE_CONTEXT_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "tfrt/async/type_id.h"
#include "tfrt/support/status.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

// Thread-safe. Resources are destroyed in reverse order of creation. Pointers stay valid until the
// resource is deleted.
class ResourceContext {
 public:
  ResourceContext() = default;
  ResourceContext(const ResourceContext&) = delete;
  ResourceContext& operator=(const ResourceContext&) = delete;
  ~ResourceContext();

  // Returns null if no resource has that name. Fails with InvalidArgument if it has another type.
  template <typename T>
  StatusOr<T*> Get(std::string_view name) const {
    std::lock_guard lock(mutex_);
    return Find<T>(name);
  }
  // Returns the resource of that name, made by T(args...) if it is missing; concurrent calls make
  // only one. T's constructor must not use this context.
  template <typename T, typename... Args>
  StatusOr<T*> GetOrCreate(std::string_view name, Args&&... args) {
    std::lock_guard lock(mutex_);
    TFRT_ASSIGN_OR_RETURN(T * found, Find<T>(name));
    if (found) return found;
    return Add<T>(name, std::forward<Args>(args)...);
  }
  // Fails with AlreadyExists if the name is taken.
  template <typename T, typename... Args>
  StatusOr<T*> Create(std::string_view name, Args&&... args) {
    std::lock_guard lock(mutex_);
    if (entries_.contains(name)) {
      return AlreadyExistsError(StrCat("resource '", name, "' exists already"));
    }
    return Add<T>(name, std::forward<Args>(args)...);
  }
  // Does nothing if no resource has that name.
  void Delete(std::string_view name);

 private:
  struct Entry {
    TypeId type;
    uint64_t number;  // in order of creation
    std::unique_ptr<void, void (*)(void*)> value;
  };
  template <typename T>
  StatusOr<T*> Find(std::string_view name) const {
    auto found = entries_.find(name);
    if (found == entries_.end()) return static_cast<T*>(nullptr);
    if (found->second.type != GetTypeId<T>()) {
      return InvalidArgumentError(StrCat("resource '", name, "' has type '",
                                         TypeName(found->second.type), "', not '",
                                         TypeName(GetTypeId<T>()), "'"));
    }
    return static_cast<T*>(found->second.value.get());
  }
  template <typename T, typename... Args>
  T* Add(std::string_view name, Args&&... args) {
    T* resource = new T(std::forward<Args>(args)...);
    entries_.emplace(std::string(name),
                     Entry{GetTypeId<T>(), next_number_++, {resource, [](void* p) {
                                                              delete static_cast<T*>(p);
                                                            }}});
    return resource;
  }

  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
  uint64_t next_number_ = 0;
};

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_HOST_RESOURCE_CONTEXT_H_
